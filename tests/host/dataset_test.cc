// CSV files as they come: what is read, and what every bad one is answered with.
#include "tools/cli/dataset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tests/host/cli_harness.h"
#include "tools/cli/error.h"
#include "tools/cli/number.h"

namespace whittle::cli {
namespace {

Dataset read(const std::string& csv, const DatasetOptions& options = {}) {
  std::istringstream in(csv);
  return read_dataset(in, "f.csv", options);
}

DatasetOptions with_label(const std::string& label) {
  DatasetOptions options;
  options.label = label;
  return options;
}

std::vector<Real> row(const Dataset& data, std::size_t i) {
  const Span<const Real> values = data.values_of(i);
  return {values.begin(), values.end()};
}

void expect_refused(const std::string& csv, const std::string& message,
                    const DatasetOptions& options = {}, int exit_code = kExitFailure) {
  try {
    read(csv, options);
    FAIL() << "accepted: " << csv;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
    EXPECT_EQ(error.exit_code(), exit_code);
  }
}

TEST(Dataset, ReadsNamesValuesAndKinds) {
  const Dataset data = read("x,label,y\n1,a,2\n3,,4\n5,universum,6\n7,b,8\n9,a,10\n");
  EXPECT_EQ(data.names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(data.samples(), 5U);
  EXPECT_EQ(row(data, 0), (std::vector<Real>{1, 2}));
  EXPECT_EQ(row(data, 4), (std::vector<Real>{9, 10}));
  EXPECT_EQ(data.rows[0].kind, SampleKind::labelled);
  EXPECT_EQ(data.rows[1].kind, SampleKind::unlabelled);
  EXPECT_EQ(data.rows[2].kind, SampleKind::universum);
  EXPECT_EQ(data.rows[3].label, 1U);
  EXPECT_EQ(data.rows[4].label, 0U);
  EXPECT_EQ(data.count(SampleKind::labelled), 3U);
}

TEST(Dataset, WithoutALabelColumnNothingIsLabelled) {
  const Dataset data = read("x,y\n1,2\n");
  EXPECT_EQ(data.features(), 2U);
  EXPECT_EQ(data.rows[0].kind, SampleKind::unlabelled);
  EXPECT_EQ(data.fields, (std::vector<std::size_t>{0, 1}));
}

TEST(Dataset, TakesTheLabelColumnAskedFor) {
  DatasetOptions options = with_label("state");
  options.universum = "other";
  const Dataset data = read("label,state\n1,on\n2,other\n3,universum\n", options);
  EXPECT_EQ(data.names, (std::vector<std::string>{"label"}));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"on", "universum"}));
  EXPECT_EQ(data.rows[1].kind, SampleKind::universum);
}

TEST(Dataset, ReadsWindowsFilesByteOrderMarkAndQuotes) {
  const Dataset data =
      read("\xEF\xBB\xBF\"a, \"\"b\"\"\",\"two\r\nlines\",label\r\n\"1\" , 2 ,\"x\"\r\n3,4,x");
  EXPECT_EQ(data.names, (std::vector<std::string>{"a, \"b\"", "two\r\nlines"}));
  ASSERT_EQ(data.samples(), 2U);
  EXPECT_EQ(row(data, 0), (std::vector<Real>{1, 2}));
  EXPECT_EQ(data.rows[0].line, 3U);
  EXPECT_EQ(data.rows[1].line, 4U);  // no final newline
  EXPECT_EQ(data.classes.size(), 1U);
}

TEST(Dataset, ReadsOldMacintoshLineEndsAndSkipsBlankLines) {
  const Dataset mac = read("x,y\r1,2\r3,4\r");
  ASSERT_EQ(mac.samples(), 2U);
  EXPECT_EQ(mac.rows[1].line, 3U);
  const Dataset blank = read("\n\nx,y\n\n1,2\n\r\n\n3,4\n\n");
  ASSERT_EQ(blank.samples(), 2U);
  EXPECT_EQ(blank.rows[0].line, 5U);
  EXPECT_EQ(blank.rows[1].line, 8U);
}

TEST(Dataset, MissingValuesAreNaN) {
  const Dataset data = read("x,y,z\n,nan,NaN\n1,2,3\n");
  for (const Real value : row(data, 0)) EXPECT_TRUE(std::isnan(value));
  EXPECT_FALSE(data.is_usable(0));
  EXPECT_TRUE(data.is_usable(1));
}

TEST(Dataset, KnowsWhichRowsTheCoreTakes) {
  const Dataset data = read("x,y\n,1\n2,-inf\n,\nnAn,1e999\n");
  EXPECT_TRUE(data.is_usable(0));
  EXPECT_EQ(data.first_infinite(0), 2U);
  EXPECT_FALSE(data.is_usable(1));
  EXPECT_EQ(data.first_infinite(1), 1U);
  EXPECT_FALSE(data.is_usable(2));
  EXPECT_FALSE(data.is_usable(3));
}

TEST(Dataset, SaysWhyARowIsNotTaken) {
  const Dataset data = read("x,label,y\n1,a,-inf\n, ,\n1,,1e999\n1e999,,2\n");
  EXPECT_EQ(data.not_taken(0, "refused", "other"),
            "f.csv:2:3: column 'y': refused: infinite value");
  EXPECT_EQ(data.not_taken(1, "refused", "other"), "f.csv:3: refused: other");
  const std::string past = past_range<Real>("1e999");
  EXPECT_EQ(data.not_taken(2, "refused", "other"), "f.csv:4:3: column 'y': refused: " + past);
  EXPECT_EQ(data.not_taken(3, "refused", "other"), "f.csv:5:1: column 'x': refused: " + past);
  EXPECT_EQ(data.too_large.size(), 2U);
  const Dataset single = read("x\n1e39\n");
  EXPECT_EQ(single.is_usable(0), sizeof(Real) > sizeof(float));
}

TEST(Dataset, ManyColumns) {
  constexpr std::size_t kColumns = 100000;
  std::string csv = "label";
  for (std::size_t i = 0; i < kColumns; ++i) csv += ",c" + std::to_string(i);
  csv += "\na";
  for (std::size_t i = 0; i < kColumns; ++i) csv += "," + std::to_string(i % 1000);
  const Dataset data = read(csv);
  ASSERT_EQ(data.features(), kColumns);
  EXPECT_EQ(data.values_of(0)[99999], 999);
  EXPECT_EQ(data.where(0, 99999), "f.csv:2:100001: column 'c99999'");
}

TEST(Dataset, WhatIsNoValueIsNoLabel) {
  const Dataset data = read("x,label\n1,a\n2,nan\n3,NaN\n4,NAN\n5, \n6,-nan\n7,nana\n");
  EXPECT_EQ(data.classes, (std::vector<std::string>{"a", "nana"}));
  EXPECT_EQ(data.count(SampleKind::unlabelled), 5U);
  EXPECT_TRUE(data.warnings.empty());
}

TEST(Dataset, TheUniversumMayBeCalledNan) {
  DatasetOptions options;
  options.universum = "nan";
  const Dataset data = read("x,label\n1,nan\n2,NaN\n3,\n", options);
  EXPECT_EQ(data.count(SampleKind::universum), 1U);
  EXPECT_EQ(data.count(SampleKind::unlabelled), 2U);
}

TEST(Dataset, ClassesThatMayMeanNothingAreToldOnce) {
  const Dataset data = read("x,label\n1,a\n2,NA\n3,?\n4,NA\n5,none\n6,Null\n7,n/a\n");
  EXPECT_EQ(data.classes, (std::vector<std::string>{"a", "NA", "?", "none", "Null", "n/a"}));
  const auto warning = [](const std::string& place, const std::string& label) {
    return "f.csv:" + place + ": label '" + label +
           "' is taken for a class; leave the cell empty if the label is missing";
  };
  EXPECT_EQ(data.warnings,
            (std::vector<std::string>{warning("3:2", "NA"), warning("4:2", "?"),
                                      warning("7:2", "Null"), warning("8:2", "n/a")}));
}

TEST(Dataset, ClassesThatAreOneNumberAreTold) {
  const std::string csv = "x,label\n1,1\n2,-0\n3,1.0\n4,01\n5,1.0\n6,0\n7,1e\n8,2\n";
  const Dataset data = read(csv);
  EXPECT_EQ(data.classes, (std::vector<std::string>{"1", "-0", "1.0", "01", "0", "1e", "2"}));
  const auto warning = [](const std::string& place, const std::string& label,
                          const std::string& first) {
    return "f.csv:" + place + ": label '" + label + "' is another class than " + first +
           ", though they are one number; write them alike if they are one class";
  };
  const std::vector<std::string> told = {warning("4:2", "1.0", "'1' (line 2)"),
                                         warning("5:2", "01", "'1' (line 2)"),
                                         warning("7:2", "0", "'-0' (line 3)")};
  EXPECT_EQ(data.warnings, told);
  const Dataset more = read(csv + "9,2.\n");
  ASSERT_EQ(more.warnings.size(), 4U);
  EXPECT_EQ(more.warnings[3], "f.csv: 4 labels in all that are one number with another");
}

TEST(Dataset, ColumnsWhoseDifferencesAreRoundedAwayAreTold) {
  const Dataset data = read("t,x\n1600000001,1.5\n1600000002,2.5\n1600000500,0.1\n");
  std::vector<std::string> told;
  if (sizeof(Real) == sizeof(float)) {
    told.push_back(
        "f.csv: column 't': values so large beside their differences are rounded to multiples of "
        "128; subtract the column's least value before");
  }
  EXPECT_EQ(data.warnings, told);
}

TEST(Dataset, OneValueApartDoesNotHideThatDifferencesAreRoundedAway) {
  for (const std::string apart : {"-999", "0", "1e+12"}) {
    const Dataset data = read("t\n" + apart + "\n1600000001\n" + apart + "\n1600000500\n");
    std::vector<std::string> told;
    if (sizeof(Real) == sizeof(float)) {
      told.push_back(
          "f.csv: column 't': values so large beside their differences are rounded to multiples of "
          "128; subtract the column's least value before, and leave cells empty if their " +
          apart + " means missing");
    }
    EXPECT_EQ(data.warnings, told);
  }
}

TEST(Dataset, ValuesApartDoNotHideThatDifferencesAreRoundedAway) {
  if (sizeof(Real) > sizeof(float)) return;
  const auto told = [](const std::string& apart) {
    return std::vector<std::string>{
        "f.csv: column 't': values so large beside their differences are rounded to multiples of "
        "128; subtract the column's least value before" +
        (apart.empty() ? "" : ", and leave cells empty if their " + apart + " means missing")};
  };
  EXPECT_EQ(read("t\n0\n-9999\n1600000001\n1600000500\n").warnings, told("-9999 or 0"));
  EXPECT_EQ(read("t\n0\n-9999\n1e15\n1600000001\n1600000500\n1600000007\n").warnings,
            told("-9999 or 0 or 1e+15"));
  EXPECT_EQ(read("t\n0\n1\n2\n3\n1600000001\n1600000500\n1600000007\n1600000009\n").warnings,
            told(""));
  std::string csv = "t\n";
  for (int i = 0; i < 3000; ++i) {
    csv += i % 4 == 0 ? "-9999\n" : i % 4 == 1 ? "0\n" : std::to_string(1600000000 + i) + '\n';
  }
  EXPECT_EQ(read(csv).warnings, told("-9999 or 0"));
}

// The first rows look coarse; the whole column is not.
TEST(Dataset, AColumnThatRisesSlowlyIsToldByAllItsRows) {
  std::string csv = "t\n";
  for (int i = 0; i < 20000; ++i) csv += std::to_string(1600000000 + 100 * i) + '\n';
  EXPECT_TRUE(read(csv).warnings.empty());
}

TEST(Dataset, ColumnsThatLoseLittleAreNotTold) {
  const std::string exact = "t\n1600000000\n1600000128\n";
  const std::string constant = "t\n1600000001\n1600000001\n";
  const std::string wide = "t\n1600000001\n1600131073\n";  // 1024 steps of 128
  const std::string infinite = "t\n1e300\n1.1e300\ninf\n";
  const std::string two_values = "t\n0\n0.1\n0\n";
  const std::string most_fine = "t\n0\n1\n2\n1600000001\n1600000500\n";
  const std::string double_noise = "t\n0.3\n0.30000000000000004\n0.7\n0.3\n";
  const std::string one_value_mostly = "t\n0.1\n0.1\n0.1\n0.1\n0.1\n0.2\n";
  for (const std::string& text :
       {exact, constant, wide, infinite, two_values, most_fine, double_noise, one_value_mostly}) {
    EXPECT_TRUE(read(text).warnings.empty()) << text;
  }
}

TEST(Dataset, ValuesThatVanishWhereNoneIsLargeAreTold) {
  const std::string large = sizeof(Real) == sizeof(float) ? "1e-37" : "1e-307";
  const auto told = [](const std::string& cells, const std::string& where) {
    return std::vector<std::string>{"f.csv:" + where + ": column 'p': " + cells +
                                    " too small for " + precision_name() +
                                    " precision, so 0; write the column in other units"};
  };
  EXPECT_EQ(read("x,p\n1,0\n2,1e-400\n3,-2e-400\n").warnings, told("2 values", "3:2"));
  EXPECT_EQ(read("p,label\n5e-324,a\n1e-400,b\n").warnings.size(), 1U);
  EXPECT_EQ(read("p\n0\n0.0e-400\nnan\n").warnings.size(), 0U);
  EXPECT_EQ(read("p\n1e-400\n" + large + "\n").warnings.size(), 0U);  // nothing beside it
  if (sizeof(Real) > sizeof(float)) return;
  EXPECT_EQ(read("p\n1e-46\n").warnings, told("1 value", "2:1"));
  EXPECT_EQ(read("p\n1e-45\n1e-46\n").warnings, told("1 value", "3:1"));
}

TEST(Dataset, HeaderOfColumnNumbersIsAHeader) {
  EXPECT_EQ(read("0,1,2\n5,6,7\n").samples(), 1U);
  EXPECT_EQ(read("1,2,3\n5,6,7\n").samples(), 1U);
}

TEST(Dataset, NamesCellsByPlace) {
  const Dataset data = read("x,label,y\n1,a,2\n");
  EXPECT_EQ(data.where(0, 0), "f.csv:2:1: column 'x'");
  EXPECT_EQ(data.where(0, 1), "f.csv:2:3: column 'y'");
}

TEST(BadDataset, Empty) {
  const std::string message =
      "f.csv:1:1: the file is empty; it needs a header row with the columns' names, then a row for "
      "each sample";
  expect_refused("", message);
  expect_refused("\n\n", message);
  expect_refused("\xEF\xBB\xBF", message);
}

TEST(BadDataset, WideCharacters) {
  using namespace std::string_literals;
  const auto message = [](const std::string& encoding) {
    return "f.csv:1:1: this is " + encoding + "; convert it to UTF-8 before: iconv -f " + encoding +
           " -t UTF-8";
  };
  expect_refused("\xFF\xFEx\0\n\0001\0\n\0"s, message("UTF-16"));
  expect_refused("\xFE\xFF\0x\0\n\0001\0\n"s, message("UTF-16"));
  expect_refused("\xFF\xFE"s, message("UTF-16"));
  expect_refused("\xFF\xFE\0\0x\0\0\0\n\0\0\0"s, message("UTF-32"));
  expect_refused("\0\0\xFE\xFF\0\0\0x\0\0\0\n"s, message("UTF-32"));
  EXPECT_EQ(read("\xFFx\n1\n").samples(), 1U);
  expect_refused("a\0,\0b\0\n\0001\0,\0002\0\n\0"s, message("UTF-16LE"));
  expect_refused("\0a\0,\0b\0\n\0001\0,\0002\0\n"s, message("UTF-16BE"));
  expect_refused("x\0\0\0\n\0\0\0"s, message("UTF-32LE"));
  expect_refused("\0\0\0x\0\0\0\n"s, message("UTF-32BE"));
  EXPECT_EQ(read("lon\0g\n1\n"s).samples(), 1U);
}

TEST(BadDataset, HeaderOnly) {
  expect_refused("x,y\n", "f.csv:2:1: there is only a header; rows of samples must follow it");
}

TEST(BadDataset, NoHeader) {
  expect_refused("1.5,2\n3,4\n",
                 "f.csv:1:1: the first row has only numbers; a header row with the columns' names "
                 "must come first");
}

TEST(BadDataset, RaggedRow) {
  expect_refused("x,y\n1,2\n3\n", "f.csv:3:2: this row has 1 field, the header (line 1) has 2");
  expect_refused("x,y\n\n1,2,3\n", "f.csv:3:3: this row has 3 fields, the header (line 1) has 2");
}

TEST(BadDataset, NotANumber) {
  expect_refused("x,label,y\n1,a,2\n3,b,4,5\n",
                 "f.csv:3:4: this row has 4 fields, the header (line 1) has 3");
  expect_refused("x,label,y\n1,a,NA\n",
                 "f.csv:2:3: column 'y': 'NA' is not a number; leave the cell empty if the value "
                 "is missing");
  expect_refused("x,class\n1,a\n",
                 "f.csv:2:2: column 'class': 'a' is not a number; leave the cell empty if the "
                 "value is missing, or give --label if this column holds the classes");
  expect_refused(
      "x,label\n\"a\nvery long piece of text that goes on and on\",b\n",
      "f.csv:2:1: column 'x': 'a\\x0avery long piece of text that g...' is not a number; "
      "leave the cell empty if the value is missing");
}

TEST(BadDataset, LinesAreCountedThroughQuotedLineEnds) {
  expect_refused("x,label\n1,\"two\nlines\"\n2,\"three\r\nmore\r\nlines\"\nz,b\n",
                 "f.csv:7:1: column 'x': 'z' is not a number; leave the cell empty if the value is "
                 "missing");
}

TEST(BadDataset, NoSuchLabelColumn) {
  expect_refused("x,y\n1,2\n",
                 "f.csv:1: no column is called 'class' (--label); the header has 'x', 'y'",
                 with_label("class"), kExitUsage);
  std::string wide = "c0";
  for (int i = 1; i < 20; ++i) wide += ",c" + std::to_string(i);
  expect_refused(wide + "\n",
                 "f.csv:1: no column is called 'class' (--label); the header has 'c0', "
                 "'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9' and 10 more",
                 with_label("class"), kExitUsage);
}

TEST(BadDataset, OtherSeparators) {
  const auto message = [](const std::string& place, const std::string& name) {
    return "f.csv:" + place + ": the values look separated by '" + name +
           "', not by ','; convert the file before: tr '," + name + "' '.,'";
  };
  expect_refused("x;y;label\n1;2;a\n", message("2:1", ";"));
  expect_refused("x;y\n1,5;2,5\n", message("2:1", ";"));  // decimal commas
  expect_refused("\nx;y\n1;\"2\"\n", message("3:1", ";"));
  expect_refused("\"x\";\"y\"\n1;2\n", message("1:1", ";"));
  expect_refused("x\ty\n1\t2\n", message("2:1", "\\t"));
  expect_refused("x|y z\n1|2\n", message("2:1", "|"));
  const std::string blanks =
      ": the values look separated by blanks, not by ','; convert the file before: awk -v OFS=, "
      "'{gsub(/,/, \".\"); $1 = $1} 1'";
  expect_refused("x  y\n1  2\n", "f.csv:2:1" + blanks);
  expect_refused("x y\n1,5 2,5\n", "f.csv:2:1" + blanks);  // decimal commas
  expect_refused(
      "x y\n1 2\n",
      "f.csv:1: no column is called 'class' (--label); the header has 'x y'; " + blanks.substr(2),
      with_label("class"), kExitUsage);
  // One column, whose name or values have such a character in them.
  EXPECT_EQ(read("my value; raw\n1\n").samples(), 1U);
  expect_refused(
      "my value\noops\n",
      "f.csv:2:1: column 'my value': 'oops' is not a number; leave the cell empty if the "
      "value is missing, or give --label if this column holds the classes");
  expect_refused("x,y;z\n1,2;3\n",
                 "f.csv:2:2: column 'y;z': '2;3' is not a number; leave the cell empty if the "
                 "value is missing, or give --label if this column holds the classes");
}

TEST(BadDataset, ColumnsOfOneName) {
  const auto message = [](const std::string& place, const std::string& columns,
                          const std::string& name) {
    return "f.csv:" + place + ": columns " + columns + " are both called '" + name +
           "'; rename one, since columns are told by their names";
  };
  expect_refused("label,x,label\na,1,b\n", message("1:3", "1 and 3", "label"));
  expect_refused("x,label,y,x\n1,a,2,3\n", message("1:4", "1 and 4", "x"));
  expect_refused("\nx,y,\"x\"\n1,2,3\n", message("2:3", "1 and 3", "x"));
  expect_refused("x,,y, \n1,2,3,4\n", message("1:4", "2 and 4", ""));
  // A file without a header is told so first.
  expect_refused("1.5,1.5\n3,4\n",
                 "f.csv:1:1: the first row has only numbers; a header row with the columns' names "
                 "must come first");
}

TEST(BadDataset, NothingButLabels) {
  expect_refused("label\na\n", "f.csv:1:1: there is no column beside the labels; nothing to rank");
}

TEST(BadDataset, QuotesOutOfPlace) {
  expect_refused("x,y\n1,\"2\n3,4\n",
                 "f.csv:2:2: a quoted field that starts here is not closed by a quote");
  expect_refused("x,y\n1\"2,3\n",
                 "f.csv:2:1: a quote in the middle of a field; put the whole field in quotes and "
                 "write a quote inside it twice");
  expect_refused("x,y\n1,\"2\"3\n",
                 "f.csv:2:2: a quote in the middle of a field; put the whole field in quotes and "
                 "write a quote inside it twice");
}

TEST(BadDataset, TooManyClasses) {
  std::string csv = "id,label\n";
  for (int i = 0; i <= 1024; ++i) csv += "1,c" + std::to_string(i) + "\n";
  expect_refused(csv,
                 "f.csv:1026:2: more than 1024 different labels; is this the column of the "
                 "classes? --label names another");
}

TEST(BadDataset, FileThatCannotBeRead) {
  std::istringstream unused;
  const auto message_for = [&](const std::string& path) {
    try {
      read_dataset_file(path, unused, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message_for("/nonexistent/f.csv"),
            "/nonexistent/f.csv: cannot be opened: No such file or directory");
  EXPECT_EQ(message_for("/tmp"), "/tmp: cannot be read: Is a directory");
}

}  // namespace
}  // namespace whittle::cli
