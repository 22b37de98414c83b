// What the theme adds by script lacks something for those who read without a mouse: a table that
// scrolls must take the focus, and the button that copies a block is no landmark of the page.
const mend = () => {
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    wrap.tabIndex = 0;
  }
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) {
    nav.setAttribute("role", "presentation");
  }
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
