// Buttons and forms that call the control API, show the result, and refresh the page.
function say(text, bad) {
  document.querySelector('.toast')?.remove();
  const toast = document.createElement('div');
  toast.className = bad ? 'toast bad' : 'toast';
  toast.setAttribute('role', 'status');
  toast.textContent = text;
  document.body.append(toast);
}

async function call({ call: path, method = 'POST' }, body) {
  say('Working …');
  const answer = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = await answer.json();
  const inner = result.install ?? result;
  const refused = !answer.ok || inner.status === null || (typeof inner.status === 'number' && inner.status >= 400);
  say(refused ? `Rejected: ${JSON.stringify(inner.answer ?? inner.message ?? inner)}` : 'Done.', refused);
  if (!refused) setTimeout(() => location.reload(), 700);
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-call]');
  if (!button) return;
  if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
  call(button.dataset, JSON.parse(button.dataset.body ?? '{}')).catch((error) => say(String(error), true));
});

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[data-call]');
  if (!form) return;
  event.preventDefault();
  const body = {};
  for (const field of form.querySelectorAll('[name]')) {
    if (field.dataset.kind === 'number') body[field.name] = Number(field.value);
    else if (field.dataset.kind === 'list') body[field.name] = field.value.split(/[\s,]+/).filter(Boolean);
    else if (field.dataset.kind === 'optional') body[field.name] = field.value.trim() || null;
    else if (field.type === 'checkbox') body[field.name] = field.checked;
    else body[field.name] = field.value;
  }
  call(form.dataset, { ...JSON.parse(form.dataset.body ?? '{}'), ...body }).catch((error) => say(String(error), true));
});
