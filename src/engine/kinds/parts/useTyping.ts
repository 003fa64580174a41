import { type KeyboardEvent, useState } from 'react'

/**
 * For an autocomplete that offers records or words: whether somebody is typing what they look for. The first match is
 * highlighted meanwhile, so that Enter chooses it; where nothing matches, Enter does nothing. It would save the form
 * without what was typed.
 */
export function useTyping() {
  const [isTyping, setTyping] = useState(false)
  return {
    isTyping,
    onInputChange: (_event: unknown, text: string, reason: string) =>
      setTyping(reason === 'input' && text.trim() !== ''),
    holdEnter: (event: KeyboardEvent) => {
      if (isTyping && event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
    },
  }
}
