// Refreshes the phone's thread and reports what the customer presses.
const desk = document.querySelector('[data-phone]');
const source = desk?.dataset.phone;
let shown = '';

async function refresh() {
  const answer = await fetch(source);
  if (!answer.ok) return;
  const text = await answer.text();
  if (text === shown) return;
  const grown = text.length > shown.length;
  shown = text;
  const thread = () => desk.querySelector('.thread');
  const place = thread()?.scrollTop ?? 0;
  const atEnd = !thread() || thread().scrollHeight - place - thread().clientHeight < 80;
  desk.innerHTML = text;
  thread().scrollTop = atEnd && grown ? thread().scrollHeight : place;
}

function keepRefreshing() {
  refresh()
    .catch(() => {})
    .finally(() => setTimeout(keepRefreshing, 1000));
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-post]');
  if (!button) return;
  button.disabled = true;
  fetch(button.dataset.post, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: button.dataset.body ?? '{}',
  })
    .then(refresh)
    .catch(() => {})
    .finally(() => {
      button.disabled = false;
    });
});

if (desk) keepRefreshing();
