import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { roles } from '../../schemas/access.ts'
import { endpoints } from '../../schemas/endpoints.ts'
import { useSetting } from '../layout/useSetting.ts'
import type { InstallSource } from './installCommand.ts'

/** What install commands are made of; `undefined` while loading. */
export function useInstallSource(): { source: InstallSource | undefined; takesNoAgents: boolean } {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const setting = useSetting()
  const { data: profile } = useQuery({
    queryKey: ['profile', 'install'],
    queryFn: () => dataProvider.call(endpoints.profile),
  })
  const takesNoAgents = setting?.wheelhouse !== undefined
  if (!setting || !profile) return { source: undefined, takesNoAgents }
  const { install_host: host, tls, agent_secret_key } = setting.config
  // The key of the whole site is told to admins, by older servers; what registers with it is nobody's.
  const shared = profile.role === roles.admin ? (agent_secret_key as string | undefined) : undefined
  return { source: { host, tls, secret: profile.agent_secret || shared }, takesNoAgents }
}
