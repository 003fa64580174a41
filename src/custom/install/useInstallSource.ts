import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { installSecret } from '../../schemas/endpoints/installSecret.ts'
import { agentAddressOf } from './agentAddress.ts'
import type { InstallSource } from './installCommand.ts'

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
