import { useNotify } from 'react-admin'
import type { Message } from '../define/defineResource.ts'

/**
 * Toasts for what a call came to. A failure says the server's words, or points to the console when the reply
 * had none; its cause is always in the console.
 */
export function useReport() {
  const notify = useNotify()
  return {
    failure: (error: unknown) => {
      console.error(error)
      const words = error instanceof Error ? error.message : ''
      notify(words || 'app.toast.unexpected', { type: 'error' })
    },
    say: ({ key, args, type = 'success' }: Message) => notify(key, { type, messageArgs: args }),
  }
}
