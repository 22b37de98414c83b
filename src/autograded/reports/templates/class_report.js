"use strict";
// Sorts a table by the column whose heading is pressed; a second press turns the order round.
// A cell's data-v is its value for sorting; an empty one means none, and stays last.
document.addEventListener("click", (event) => {
  const button = event.target.closest("th > button");
  if (!button) return;
  const heading = button.parentElement;
  const body = heading.closest("table").tBodies[0];
  const column = heading.cellIndex;
  const descending = heading.getAttribute("aria-sort") === "ascending";
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const rows = Array.from(body.rows, (row) => {
    const cell = row.cells[column];
    const given = cell.dataset.v;
    const text = given === undefined ? cell.textContent.trim() : given;
    return { row, text, number: given === undefined ? NaN : Number(given) };
  });
  rows.sort((a, b) => {
    if (a.text === "" || b.text === "") return (a.text === "") - (b.text === "");
    const order = Number.isNaN(a.number) || Number.isNaN(b.number)
      ? collator.compare(a.text, b.text)
      : a.number - b.number;
    return descending ? -order : order;
  });
  body.append(...rows.map(({ row }) => row));
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
});
