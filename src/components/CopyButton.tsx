import { type ComponentType, type MouseEvent, useEffect, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { copyText } from './copyText.ts'
import { CheckIcon, CopyIcon } from './icons.tsx'
import './theme/cells.css'

/** Milliseconds for which the check mark is shown. */
const confirmationMs = 2_000

export interface CopyButtonProps {
  /** The text to copy; if it is empty, a warning is shown. */
  text: string | undefined
  /** The button's name, translated. Default: 'Copy'. */
  label?: string
  /** Shown instead of the copy icon. */
  Icon?: ComponentType
}

/** Copies a text and shows a check mark for two seconds. */
export function CopyButton({ text, label, Icon = CopyIcon }: CopyButtonProps) {
  const translate = useTranslate()
  const notify = useNotify()
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), confirmationMs)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async (event: MouseEvent) => {
    event.stopPropagation() // a click on the row would open the record
    if (!text) return notify('app.toast.text_empty', { type: 'warning' })
    try {
      await copyText(text)
      setCopied(true)
    } catch (cause) {
      console.error('Copying failed.', cause)
      notify('app.toast.copy_failed', { type: 'error' })
    }
  }

  const name = label ?? translate('app.action.copy')
  return (
    <button
      className="copy-button"
      type="button"
      aria-label={name}
      title={name}
      data-copied={copied}
      data-empty={!text}
      onClick={copy}
    >
      {copied ? <CheckIcon /> : <Icon />}
      <span role="status" className="copied-status">
        {copied && translate('app.action.copied')}
      </span>
    </button>
  )
}
