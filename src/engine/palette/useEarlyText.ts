import { useLayoutEffect, useState } from 'react'

/**
 * What somebody types for an input that is not there yet. Until then no key does what it would do on the screen behind:
 * search, select or open a row.
 *
 * @param isWaiting whether the input has been asked for and is not there
 * @param onEscape called when Escape is pressed meanwhile
 * @returns the text typed since the input was asked for
 */
export function useEarlyText(isWaiting: boolean, onEscape: () => void): string {
  const [text, setText] = useState('')
  // In the commit that draws the input, so that no key falls between the two.
  useLayoutEffect(() => {
    if (!isWaiting) return
    setText('')
    const onKey = (event: KeyboardEvent) => {
      // Shortcuts of the browser stay, and so does the key that closes the palette again.
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') onEscape()
      else if (event.key === 'Backspace') setText((text) => [...text].slice(0, -1).join(''))
      else if ([...event.key].length === 1) setText((text) => text + event.key)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [isWaiting, onEscape])
  return text
}
