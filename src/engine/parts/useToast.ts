import { type ComponentProps, createElement, Fragment } from 'react'
import { LinkBase, useNotify, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../i18n/fillText.ts'
import { hasSessionEnded } from '../../session/sessionGate.ts'
import { isStepUpOpen } from '../../session/stepUp.ts'

/** A text key with its arguments. */
export interface Toast {
  key: string
  args?: TextArgs
  type?: 'success' | 'info' | 'warning' | 'error'
  /** A link behind the text. */
  link?: { to: ComponentProps<typeof LinkBase>['to']; state?: unknown; labelKey: string }
}

/** Milliseconds after which somebody who waits is told that the server has not answered. */
const unansweredMs = 5_000

/** Whether calls wait for the person, and not for the server. */
const isForPerson = () => hasSessionEnded() || isStepUpOpen('reauthenticate') || isStepUpOpen('setUpSecondFactor')

/**
 * Toasts for the outcome of a call. An error shows the server's words, or points to the browser's console if the reply
 * had none; its cause is always written there.
 */
export function useToast() {
  const notify = useNotify()
  const translate = useTranslate()
  return {
    showError: (error: unknown) => {
      console.error(error)
      const message = error instanceof Error ? error.message : ''
      const { messageArgs } = (error as { body?: { messageArgs?: TextArgs } } | undefined)?.body ?? {}
      notify(message || 'app.toast.unexpected', { type: 'error', messageArgs })
    },
    /**
     * To be called when something is sent: says when there is no answer for a while, and calls `onLate`.
     * @returns to be called with the answer
     */
    awaitAnswer: (onLate?: () => void) => {
      const tell = () => {
        // Nothing has been sent yet, or it is sent again.
        if (isForPerson()) timer = setTimeout(tell, unansweredMs)
        else {
          notify('app.toast.unanswered', { type: 'info' })
          onLate?.()
        }
      }
      let timer = setTimeout(tell, unansweredMs)
      return () => clearTimeout(timer)
    },
    show: ({ key, args, type = 'success', link }: Toast) => {
      if (!link) return notify(key, { type, messageArgs: args })
      const to = createElement(LinkBase, { to: link.to, state: link.state }, translate(link.labelKey))
      notify(createElement(Fragment, null, translate(key, args), ' ', to), { type })
    },
  }
}
