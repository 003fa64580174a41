import { type ComponentProps, createElement, Fragment } from 'react'
import { LinkBase, useNotify, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../i18n/fillText.ts'

/** A text key with its arguments. */
export interface Toast {
  key: string
  args?: TextArgs
  type?: 'success' | 'info' | 'warning' | 'error'
  /** A link behind the text. */
  link?: { to: ComponentProps<typeof LinkBase>['to']; state?: unknown; labelKey: string }
}

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
    show: ({ key, args, type = 'success', link }: Toast) => {
      if (!link) return notify(key, { type, messageArgs: args })
      const to = createElement(LinkBase, { to: link.to, state: link.state }, translate(link.labelKey))
      notify(createElement(Fragment, null, translate(key, args), ' ', to), { type })
    },
  }
}
