import type { Profile } from '../account/profile.ts'
import { roles } from '../define/access.ts'
import type { Setting } from '../settings/setting.ts'

/**
 * The secret with which a new agent registers. Servers up to v1.9 send administrators the secret of the whole site, and
 * servers that register with it have no owner; on others each user has a secret.
 */
export function installSecret({ config }: Setting, { role, agent_secret }: Profile): string | undefined {
  const shared = config.agent_secret_key
  return role === roles.admin && typeof shared === 'string' && shared !== '' ? shared : agent_secret
}
