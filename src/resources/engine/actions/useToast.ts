import { useNotify } from 'react-admin'
import type { Message } from '../define/defineResource.ts'

/**
 * Toasts for the outcome of a call. An error shows the server's words, or points to the browser's console if the reply
 * had none; its cause is always written there.
 */
export function useToast() {
  const notify = useNotify()
  return {
    showError: (error: unknown) => {
      console.error(error)
      const message = error instanceof Error ? error.message : ''
      notify(message || 'app.toast.unexpected', { type: 'error' })
    },
    show: ({ key, args, type = 'success' }: Message) => notify(key, { type, messageArgs: args }),
  }
}
