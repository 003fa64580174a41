/**
 * Copies text to the clipboard. `navigator.clipboard` is missing on pages without TLS; there the text is selected in a
 * temporary field and copied by `execCommand`. Rejects if the browser refuses both.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // A dialog traps the focus, so the field has to be inside it.
  const parent = focused?.closest('[role=dialog]') ?? document.body
  parent.append(field)
  field.focus({ preventScroll: true })
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  if (!copied) throw new Error('The browser refused to copy.')
}
