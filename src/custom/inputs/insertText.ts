/**
 * Puts a text where the cursor is, as if it had been typed, so that React hears of it, and leaves the
 * cursor behind it.
 */
export function insertText(box: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const start = box.selectionStart ?? box.value.length
  const end = box.selectionEnd ?? start
  const value = box.value.slice(0, start) + text + box.value.slice(end)
  // React replaces the property on the element and would take its own write for no change.
  const prototype = Object.getPrototypeOf(box) as object
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(box, value)
  box.dispatchEvent(new Event('input', { bubbles: true }))
  box.focus()
  box.setSelectionRange(start + text.length, start + text.length)
}
