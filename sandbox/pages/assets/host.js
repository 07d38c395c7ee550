// The bridge of the embedding client: it responds to the embedded page's "ready" with token and context.
const { origin, init } = JSON.parse(document.getElementById('bridge').textContent);
const frame = document.querySelector('iframe');

addEventListener('message', (event) => {
  if (event.source !== frame?.contentWindow || event.origin !== origin) return;
  if (event.data?.type !== 'outreach:ready') return;
  frame.contentWindow.postMessage({ type: 'outreach:init', ...init }, origin);
  document.body.dataset.bridge = 'answered';
});

for (const select of document.querySelectorAll('select[data-submit]')) {
  select.addEventListener('change', () => select.form.submit());
}
// Only now may the page load: its "ready" must find a listener.
if (frame) frame.src = frame.dataset.src;
