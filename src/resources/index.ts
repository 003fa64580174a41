import { type ResourceEntry, resource } from '../engine/define/page.tsx'
import { entities } from '../schemas/index.ts'
import { RunningAlarmsBadge } from './alarm/RunningAlarmsBadge.tsx'

const ofNotifiers = { tabOf: 'notification' }
const ofSettings = { tabOf: 'settings' }

/** Every screen that a definition draws, in the order of the navigation. A new one is one line here. */
export const resources: readonly ResourceEntry[] = [
  resource(entities.server, () => import('./server/index.ts'), {
    path: '',
    overview: () => import('./server/page/ServerOverview.tsx'),
  }),
  resource(entities.service, () => import('./service/index.tsx'), {
    overview: () => import('./service/page/ServiceOverview.tsx'),
  }),
  resource(entities.cron, () => import('./cron/index.ts')),
  resource(entities.incident, () => import('./incident/index.ts'), {
    menu: ofNotifiers,
    overview: () => import('./incident/IncidentPage.tsx'),
    waiting: { filter: { state: 'open' }, address: 'acknowledge' },
  }),
  resource(entities.notification, () => import('./notification/index.tsx')),
  resource(entities['alert-rule'], () => import('./alert-rule/index.tsx'), { menu: ofNotifiers }),
  resource(entities.alarm, () => import('./alarm/index.ts'), { menu: ofNotifiers, Badge: RunningAlarmsBadge }),
  resource(entities.delivery, () => import('./delivery/index.ts'), { menu: ofNotifiers }),
  resource(entities.escalation, () => import('./escalation/index.tsx'), { menu: ofNotifiers }),
  resource(entities.rota, () => import('./rota/index.ts'), {
    menu: ofNotifiers,
    overview: () => import('./rota/RotaPage.tsx'),
  }),
  resource(entities['maintenance-window'], () => import('./maintenance-window/index.ts'), { menu: ofNotifiers }),
  resource(entities.mute, () => import('./mute/index.tsx'), { menu: ofNotifiers }),
  resource(entities.ddns, () => import('./ddns/index.ts')),
  resource(entities.nat, () => import('./nat/index.ts')),
  resource(entities['server-group'], () => import('./server-group/index.ts'), {
    overview: () => import('./server-group/GroupOverview.tsx'),
  }),
  resource(entities['notification-group'], () => import('./notification-group/index.ts'), {
    menu: { tabOf: 'server-group' },
    isMadeInPickers: true,
  }),
  resource(entities.user, () => import('./user/index.tsx'), { path: 'settings/user', menu: ofSettings }),
  resource(entities['online-user'], () => import('./online-user/index.tsx'), {
    path: 'settings/online-user',
    menu: ofSettings,
  }),
  resource(entities.waf, () => import('./waf/index.tsx'), { path: 'settings/waf', menu: ofSettings }),
  resource(entities['server-share'], () => import('./server-share/index.ts'), {
    path: 'settings/server-shares',
    menu: ofSettings,
  }),
  resource(entities.audit, () => import('./audit/index.ts'), { path: 'settings/audit', menu: ofSettings }),
]
