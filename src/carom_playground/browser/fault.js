// A page that fails says so on its canvas: any error that nobody catches, in drawing, in a handler, or in what is loaded.
//
// In: the browser's events of errors. Out: words over the canvas, with the error's own message, until `hideFault` is
// called by what a visitor does next. A script of its own before all others, so that it hears of their errors, too.

function showFault(error) {
  const message = String(error?.message ?? error);
  document.getElementById("fault-text").textContent = message;
  document.getElementById("fault").hidden = false;
}

globalThis.hideFault = () => {
  document.getElementById("fault").hidden = true;
};

addEventListener("error", (event) => {
  // A browser also tells here, without an error, that a size will be looked at once more.
  if (event.error) showFault(event.error);
});
addEventListener("unhandledrejection", (event) => showFault(event.reason));
