import { useEffect, useRef, useState } from 'react'
import { useToast } from './ActionDialog.tsx'

/**
 * Sends what somebody orders in a dialog. The dialog stays until there is an answer, or until the person has been told that
 * there is none: it can be left then, and toasts tell what became of the order.
 */
export function useDialogOrder() {
  const toast = useToast()
  const [state, setState] = useState<'open' | 'sent' | 'late'>('open')
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return {
    isSending: state !== 'open',
    /** Whether the dialog has to stay. */
    isHeld: state === 'sent',
    /**
     * @param order tells by a toast that it went well, where nothing else shows it; a failure is told here
     * @param close called when it went well, unless the dialog was left: another one may be open by then
     * @param left called in its place
     */
    send: async <Reply>(order: () => Promise<Reply>, close: (reply: Reply) => void, left?: (reply: Reply) => void) => {
      setState('sent')
      const answered = toast.awaitAnswer(() => setState('late'))
      try {
        const reply = await order()
        if (isShown.current) close(reply)
        else left?.(reply)
      } catch (error) {
        toast.showError(error)
      } finally {
        answered()
      }
      setState('open')
    },
  }
}
