// The look of the page: one column on a phone, two beside each other where there is room, black on
// white on paper.
#ifndef WHITTLE_TOOLS_SIMULATE_REPORT_STYLE_H_
#define WHITTLE_TOOLS_SIMULATE_REPORT_STYLE_H_

namespace whittle::simulate {

inline constexpr char kReportStyle[] = R"css(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 10px; max-width: 1120px; background: #fff; color: #1a1a1a;
  font: 16px/1.45 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: .4rem 0; }
h2 { font-size: 1.2rem; margin: 1.6rem 0 .4rem; border-bottom: 1px solid #999; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
p, dl { margin: .4rem 0; max-width: 46rem; }
dt { font-weight: 600; } dd { margin: 0 0 .3rem 1rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr));
  gap: 8px 16px; }
figure { margin: 0 0 8px; break-inside: avoid; max-width: 540px; }
figcaption { font-weight: 600; }
figure > svg { display: block; width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: #1a1a1a; }
.grid { stroke: #ddd; } .axis { stroke: #555; }
.drift { stroke: #a00000; stroke-dasharray: 3 2; } .alarm { fill: #a00000; }
.legend { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap;
  gap: 2px 12px; font-size: .8rem; }
.legend svg { width: 26px; height: 10px; margin-right: 4px; }
.shade { display: inline-block; width: 14px; height: 10px; margin-right: 4px;
  border: 1px solid #777; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
table { border-collapse: collapse; font-size: .85rem; margin: .4rem 0; }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid #ddd; }
td { white-space: nowrap; }
th { text-align: left; } thead th { vertical-align: bottom; }
thead th:not(:first-child) { text-align: right; }
a { color: #00518a; }
@media screen and (max-width: 760px) {
  table, tbody, tr, th, td { display: block; } thead { display: none; }
  tr { border: 1px solid #bbb; border-radius: 4px; margin: 6px 0; padding: 4px 8px; }
  th, td { border: 0; padding: 1px 0; }
  td { display: flex; justify-content: space-between; gap: 12px; }
  td::before { content: attr(data-label); color: #444; text-align: left; }
}
@media print {
  body { max-width: none; font-size: 10pt; padding: 0; }
  h2, h3 { break-after: avoid; } tr, figure { break-inside: avoid; }
  .charts { grid-template-columns: 1fr 1fr; }
  table { font-size: 7pt; } th, td { padding: 1px 4px; }
  .screen { display: none; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_REPORT_STYLE_H_
