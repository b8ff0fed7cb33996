// Reloads the page while the run goes on, and says where nobody has written it for long.
const page = document.documentElement;
const written = Number(page.dataset.written);
const stale = document.getElementById("stale");
function look() {
  const age = Math.round(Date.now() / 1000 - written);
  if (age >= 10) {
    stale.hidden = false;
    stale.textContent = `Nobody has renewed this page for ${age} s: takt may have been killed, or this is a copy.`;
  }
}
if (page.dataset.goesOn) {
  look();
  setInterval(look, 1000);
  setInterval(() => { if (!document.hidden) location.reload(); }, 2000);
}
