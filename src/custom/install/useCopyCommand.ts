import { useEffect, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { copyText } from '../../components/copyText.ts'
import { errorMessage } from '../../domain/errors.ts'
import { type InstallSource, installCommand, type System } from './installCommand.ts'

/** Milliseconds; the second click of a double click does nothing. */
const copyLockMs = 2_000

/**
 * Copies install commands; a toast says what is missing for one. A button that was just used does nothing for two
 * seconds, and stays enabled: a disabled one loses the focus of the keyboard.
 * @returns the system whose command was just copied, and the function that copies
 */
export function useCopyCommand(source: InstallSource | undefined) {
  const notify = useNotify()
  const translate = useTranslate()
  const [copied, setCopied] = useState<System>()

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(undefined), copyLockMs)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async (system: System) => {
    if (!source || copied === system) return
    let command: string
    try {
      command = installCommand(system, source)
    } catch (error) {
      return notify(errorMessage(error), { type: 'error' })
    }
    setCopied(system)
    try {
      await copyText(command)
      notify('app.install.copied', {
        type: 'success',
        messageArgs: { system: translate(`app.install.systems.${system}`) },
      })
    } catch (cause) {
      console.error('Copying failed.', cause)
      notify('app.toast.copy_failed', { type: 'error' })
    }
  }
  return { copied, copy }
}
