// How options are read: each looks at its value while the command line is read, so before any work,
// and refuses it with what would be right: "--nodes: 'x' is not a whole number from 1 to 10000".
// An option that is not said to be repeatable is an error if it is given twice.
#ifndef WHITTLE_TOOLS_CLI_OPTIONS_H_
#define WHITTLE_TOOLS_CLI_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/plan.h"

namespace whittle::cli {

inline constexpr std::uint64_t kMaxSeed = ~std::uint64_t{0};

// Decimal digits, from `least` to `most`, into an unsigned `target` that has room for `most`; what
// it holds is shown as the default, if it is one that could be given.
CLI::Option* whole_option(CLI::App* command, const std::string& flag, std::uint32_t* target,
                          std::uint64_t least, std::uint64_t most, const std::string& help);
CLI::Option* whole_option(CLI::App* command, const std::string& flag, std::uint64_t* target,
                          std::uint64_t least, std::uint64_t most, const std::string& help);
// Milliseconds.
CLI::Option* whole_option(CLI::App* command, const std::string& flag,
                          std::chrono::milliseconds* target, std::uint64_t least,
                          std::uint64_t most, const std::string& help);

// A decimal number from 0 to `most`; the default is shown.
CLI::Option* number_option(CLI::App* command, const std::string& flag, double* target, double most,
                           const std::string& help);

// Bytes: a whole number from 1 to 2^40, or one followed by k, m or g.
CLI::Option* size_option(CLI::App* command, const std::string& flag, std::size_t* target,
                         const std::string& help);

// A text that is not empty; the default is shown, if there is one.
CLI::Option* text_option(CLI::App* command, const std::string& flag, std::string* target,
                         const std::string& help);
CLI::Option* text_option(CLI::App* command, const std::string& flag,
                         std::optional<std::string>* target, const std::string& help);
// A file or folder where "-" does not stand for a standard stream, so is refused.
CLI::Option* path_option(CLI::App* command, const std::string& flag, std::string* target,
                         const std::string& help);

// One value each time the option is given; the defaults are shown.
CLI::Option* repeatable_option(CLI::App* command, const std::string& flag,
                               std::vector<std::string>* target, const std::string& help);

template <typename T>
using Choices = std::vector<std::pair<std::string, T>>;

[[noreturn]] void refuse_choice(const std::string& flag, const std::string& text,
                                const std::string& names);

template <typename T>
CLI::Option* choice_option(CLI::App* command, const std::string& flag, T* target,
                           const Choices<T>& choices, const std::string& help) {
  std::string names;
  for (const auto& [name, value] : choices) names += (names.empty() ? "" : "|") + name;
  const auto set = [=](const std::string& text) {
    for (const auto& [name, value] : choices) {
      if (name == text) {
        *target = value;
        return;
      }
    }
    refuse_choice(flag, text, names);
  };
  return command->add_option_function<std::string>(flag, set, help)->option_text(names);
}

// table (the default), json or csv.
CLI::Option* add_format(CLI::App* command, Format* format);

// --to and --firmware: of the node.
CLI::Option* add_address(CLI::App* command, std::string* address);
CLI::Option* add_firmware(CLI::App* command, std::string* firmware);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_OPTIONS_H_
