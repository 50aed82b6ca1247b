// What is wrong with a command line, for people.
#ifndef WHITTLE_TOOLS_CLI_USAGE_H_
#define WHITTLE_TOOLS_CLI_USAGE_H_

#include <CLI/CLI.hpp>
#include <string>

namespace whittle::cli {

// What `app`, the whole program, has to say of the error, and where help is: names a command or an
// option that there is not, with the nearest that there is, and an option given twice.
std::string usage_message(const CLI::App& app, const CLI::Error& error);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_USAGE_H_
