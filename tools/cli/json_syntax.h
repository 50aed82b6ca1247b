// Where a text stops being JSON, for people, or says something twice.
#ifndef WHITTLE_TOOLS_CLI_JSON_SYNTAX_H_
#define WHITTLE_TOOLS_CLI_JSON_SYNTAX_H_

#include <string>

namespace whittle::cli {

// Throws Error if it is not: "run.json:3:17: is no JSON: '}' does not belong there". `name` stands
// for the file. Likewise if an object has a key twice, of which readers take the one or the other:
// "run.json: runs[1].nodes[3].sensed: is there twice, must be once".
void check_json(const std::string& text, const std::string& name);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_JSON_SYNTAX_H_
