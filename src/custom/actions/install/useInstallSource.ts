import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { endpoints } from '../../../schemas/endpoints/index.ts'
import { installSecret } from '../../../schemas/endpoints/installSecret.ts'
import { useSetting } from '../../hooks/useSetting.ts'
import type { InstallSource } from './installCommand.ts'

/** The values for install commands; `undefined` while loading. */
export function useInstallSource(): { source: InstallSource | undefined; acceptsNoAgents: boolean } {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const setting = useSetting()
  const { data: profile } = useQuery({
    queryKey: ['profile', 'install'],
    queryFn: () => dataProvider.call(endpoints.profile),
  })
  const acceptsNoAgents = setting?.wheelhouse !== undefined
  if (!setting || !profile) return { source: undefined, acceptsNoAgents }
  const { install_host: host, tls } = setting.config
  return { source: { host, tls, secret: installSecret(setting, profile) }, acceptsNoAgents }
}
