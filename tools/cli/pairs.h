// Pairs: must-link and cannot-link pairs between rows of a data set, from a CSV file.
//
//   first,second,link
//   1,17,must
//   4,17,cannot
//
// first and second count the data rows of the data set from 1 (its header is no data row; a refused
// row counts). Universum rows take no part in pairs.
#ifndef WHITTLE_TOOLS_CLI_PAIRS_H_
#define WHITTLE_TOOLS_CLI_PAIRS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cli/dataset.h"

namespace whittle::cli {

struct Pair {
  std::size_t earlier = 0;  // rows of the data set, from 0
  std::size_t later = 0;
  bool must_link = false;  // or cannot link
  std::size_t line = 0;    // of the pairs' file
};

struct Pairs {
  std::string file;
  std::vector<Pair> list;  // in the order in which they can be given: by later row, then as written

  // "file:line" of one pair.
  std::string where(std::size_t i) const { return file + ":" + std::to_string(list[i].line); }
};

// Throws Error, naming file, line and column and what to do.
Pairs read_pairs(std::istream& in, const std::string& name, const Dataset& data);
// The same for a file, or standard input (`in`) if the path is "-".
Pairs read_pairs_file(const std::string& path, std::istream& in, const Dataset& data);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_PAIRS_H_
