/**
 * Puts text on the clipboard. Pages that are served without TLS from another machine have no `navigator.clipboard`;
 * there the older way by a selected field is taken. Rejects when the browser refuses both.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // A dialog keeps the focus inside itself, so the field has to stand in it.
  const home = focused?.closest('[role=dialog]') ?? document.body
  home.append(field)
  field.focus({ preventScroll: true })
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  if (!copied) throw new Error('The browser refused to copy.')
}
