#include "tools/cli/usage.h"

#include <algorithm>
#include <vector>

#include "tools/cli/spelling.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using Words = std::vector<std::string>;

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

std::string meant(const std::string& word, const Words& words) {
  const std::string near = nearest(word, words);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

Words commands_of(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

Words options_of(const CLI::App& app) {
  Words names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The first option among the words that nobody took, else the first of them.
std::string unknown_among(const Words& words) {
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  return option != words.end() ? *option : words.front();
}

std::string about_unknown(const CLI::App& app, const CLI::App& command, const std::string& word) {
  const bool whole = &command == &app;
  if (is_option(word)) {
    const std::string name = word.substr(0, word.find('='));
    return (whole ? "there is no option " : command.get_name() + " has no option ") +
           in_quotes(name) + meant(name, options_of(command));
  }
  if (!whole) return command.get_name() + ": " + in_quotes(word) + " is not expected";
  const Words commands = commands_of(app);
  return "no command is called " + in_quotes(word) + meant(word, commands) + "\nthere are " +
         listed(commands, commands.size());
}

// "" if none is.
std::string about_given_twice(const CLI::App& command, const CLI::Error& error) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) return "";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() != 1 || option->count() < 2) continue;
    return option->get_name() + ": given " + std::to_string(option->count()) +
           " times; it takes one value";
  }
  return "";
}

std::string describe(const CLI::App& app, const CLI::App* command, const CLI::Error& error) {
  const Words before = app.remaining();
  if (command == nullptr) {
    if (!before.empty()) return about_unknown(app, app, before.front());
    const Words commands = commands_of(app);
    return "a command is missing; there are " + listed(commands, commands.size());
  }
  if (const Words words = command->remaining(); !words.empty()) {
    return about_unknown(app, *command, unknown_among(words));
  }
  if (!before.empty()) {
    return in_quotes(before.front()) + " stands before " + command->get_name() +
           ": give options behind the command";
  }
  const std::string twice = about_given_twice(*command, error);
  return twice.empty() ? error.what() : twice;
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::Error& error) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  const Words before = app.remaining();
  const bool other_first = !before.empty() && !is_option(before.front());
  const CLI::App* const command = given.empty() || other_first ? nullptr : given.front();
  return "whittle: " + describe(app, command, error) + "\nwhittle " +
         (command == nullptr ? "" : command->get_name() + " ") + "--help says more\n";
}

}  // namespace whittle::cli
