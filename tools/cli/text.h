// Pieces of messages.
#ifndef WHITTLE_TOOLS_CLI_TEXT_H_
#define WHITTLE_TOOLS_CLI_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace whittle::cli {

// The text in single quotes, cut to about `most` bytes, control characters made visible.
std::string in_quotes(std::string_view text, std::size_t most = 32);

// "a, b, c and 97 more", at most `most` of them.
std::string listed(const std::vector<std::string>& items, std::size_t most);

// "1 sample", "2 samples"
std::string counted(std::size_t count, std::string_view noun);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_TEXT_H_
