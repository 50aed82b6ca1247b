// What a misspelt word may have been meant to be.
#ifndef WHITTLE_TOOLS_CLI_SPELLING_H_
#define WHITTLE_TOOLS_CLI_SPELLING_H_

#include <string>
#include <vector>

namespace whittle::cli {

// The nearest of the words, the first of them: at most two letters are wrong, missing, too many or
// changed about with the next one, and fewer than half of them. "" if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& words);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SPELLING_H_
