import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDataProvider, useNotify, useTranslate } from 'react-admin'
import { copyText } from '../../components/copyText.ts'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { errorMessage } from '../../domain/errors.ts'
import { installSecret } from '../../schemas/endpoints/agentSecretEndpoints.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { agentAddressOf, type InstallSource, installCommand, type System } from './installCommand.ts'

/**
 * The values for install commands; `undefined` while loading. Where the settings have no address, it is that of this page
 * on a server that takes agents on the port of the console; of other servers it is not known.
 */
export function useInstallSource(): InstallSource | undefined {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const setting = useSetting()
  const { data: profile } = useQuery({
    queryKey: ['profile', 'install'],
    queryFn: () => dataProvider.call(endpoints.profile),
  })
  if (!setting || !profile) return undefined
  const { install_host: host, tls } = setting.config
  const secret = installSecret(setting, profile)
  if (!host && setting.wheelhouse?.agents) return { ...agentAddressOf(location), secret }
  return { host, tls, secret }
}

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
