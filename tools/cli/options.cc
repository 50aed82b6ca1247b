#include "tools/cli/options.h"

#include <cctype>
#include <optional>

#include "tools/cli/address.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;

[[noreturn]] void refuse(const std::string& flag, const std::string& text,
                         const std::string& wanted) {
  throw CLI::ValidationError(flag, in_quotes(text) + " is not " + wanted);
}

std::string range(const std::string& least, const std::string& most) {
  return " from " + least + " to " + most;
}

// Digits, and behind them k, m or g: 64k.
std::optional<std::uint64_t> parse_size(std::string text) {
  unsigned shift = 0;
  if (!text.empty()) {
    const int last = std::tolower(static_cast<unsigned char>(text.back()));
    shift = last == 'k' ? 10 : last == 'm' ? 20 : last == 'g' ? 30 : 0;
  }
  if (shift > 0) text.pop_back();
  const std::optional<std::uint64_t> units = parse_whole(text, kMostBytes >> shift);
  if (!units || *units == 0) return std::nullopt;
  return *units << shift;
}

template <typename Text>
CLI::Option* checked_text(CLI::App* command, const std::string& flag, Text* target,
                          const std::string& help, bool dash) {
  const auto set = [=](const std::string& text) {
    if (text.empty()) throw CLI::ValidationError(flag, "must not be empty");
    if (text == "-" && !dash) refuse(flag, text, "a path: give one");
    *target = text;
  };
  return command->add_option_function<std::string>(flag, set, help);
}

template <typename Target>
CLI::Option* whole_into(CLI::App* command, const std::string& flag, Target* target,
                        std::uint64_t least, std::uint64_t most, const std::string& help) {
  const auto read = [=](const std::string& text) {
    const std::optional<std::uint64_t> value = parse_whole(text, most);
    if (!value || *value < least) {
      refuse(flag, text, "a whole number" + range(std::to_string(least), std::to_string(most)));
    }
    *target = static_cast<Target>(*value);
  };
  return command->add_option_function<std::string>(flag, read, help)->type_name("UINT");
}

CLI::Option* show_whole(CLI::Option* option, std::uint64_t value, std::uint64_t least) {
  return value < least ? option : option->default_str(std::to_string(value));
}

CLI::Option* show_default(CLI::Option* option, const std::string& text) {
  return text.empty() ? option : option->default_str(text);
}

}  // namespace

CLI::Option* whole_option(CLI::App* command, const std::string& flag, std::uint32_t* target,
                          std::uint64_t least, std::uint64_t most, const std::string& help) {
  return show_whole(whole_into(command, flag, target, least, most, help), *target, least);
}

CLI::Option* whole_option(CLI::App* command, const std::string& flag, std::uint64_t* target,
                          std::uint64_t least, std::uint64_t most, const std::string& help) {
  return show_whole(whole_into(command, flag, target, least, most, help), *target, least);
}

CLI::Option* whole_option(CLI::App* command, const std::string& flag,
                          std::chrono::milliseconds* target, std::uint64_t least,
                          std::uint64_t most, const std::string& help) {
  return show_whole(whole_into(command, flag, target, least, most, help),
                    static_cast<std::uint64_t>(target->count()), least);
}

CLI::Option* number_option(CLI::App* command, const std::string& flag, double* target, double most,
                           const std::string& help) {
  const auto read = [=](const std::string& text) {
    const std::optional<double> value = parse_number(text);
    if (!value || !(*value >= 0 && *value <= most)) {
      refuse(flag, text, "a number" + range("0", format_real(to_real(most))));
    }
    *target = *value;
  };
  return command->add_option_function<std::string>(flag, read, help)
      ->type_name("FLOAT")
      ->default_str(format_real(to_real(*target)));
}

CLI::Option* size_option(CLI::App* command, const std::string& flag, std::size_t* target,
                         const std::string& help) {
  const auto read = [=](const std::string& text) {
    const std::optional<std::uint64_t> value = parse_size(text);
    if (!value) {
      refuse(flag, text,
             "a whole number" + range("1", std::to_string(kMostBytes)) +
                 ", or one with k, m or g behind it");
    }
    *target = static_cast<std::size_t>(*value);
  };
  return command->add_option_function<std::string>(flag, read, help)
      ->type_name("SIZE")
      ->default_str(std::to_string(*target));
}

CLI::Option* path_option(CLI::App* command, const std::string& flag, std::string* target,
                         const std::string& help) {
  return show_default(checked_text(command, flag, target, help, false), *target);
}

CLI::Option* text_option(CLI::App* command, const std::string& flag, std::string* target,
                         const std::string& help) {
  return show_default(checked_text(command, flag, target, help, true), *target);
}

CLI::Option* text_option(CLI::App* command, const std::string& flag,
                         std::optional<std::string>* target, const std::string& help) {
  return checked_text(command, flag, target, help, true);
}

CLI::Option* repeatable_option(CLI::App* command, const std::string& flag,
                               std::vector<std::string>* target, const std::string& help) {
  return command->add_option(flag, *target, help + "; repeatable")
      ->allow_extra_args(false)
      ->capture_default_str();
}

void refuse_choice(const std::string& flag, const std::string& text, const std::string& names) {
  refuse(flag, text, "one of " + names);
}

CLI::Option* add_format(CLI::App* command, Format* format) {
  return choice_option<Format>(
      command, "--format", format,
      {{"table", Format::table}, {"json", Format::json}, {"csv", Format::csv}},
      "output; default table");
}

CLI::Option* add_address(CLI::App* command, std::string* address) {
  return text_option(command, "--to", address, std::string("the node: ") + kAddressHelp);
}

CLI::Option* add_firmware(CLI::App* command, std::string* firmware) {
  return path_option(command, "--firmware", firmware,
                     "for qemu: the node's ELF file; default ../BOARD/node.elf beside this "
                     "program's folder, or BOARD/node.elf in $WHITTLE_FIRMWARE_DIR");
}

}  // namespace whittle::cli
