import type { Store } from '../db/store.ts'
import type { Machines } from '../machines/machines.ts'
import type { ServerAccess } from '../machines/serverAccess.ts'
import type { OpenWindows } from '../maintenance/openWindows.ts'
import type { ServiceChecker } from '../services/serviceChecker.ts'
import type { Availability } from './history/availability.ts'
import type { Incidents } from './history/incidents.ts'

/** What the public status is read from. */
export interface StatusSources {
  store: Store
  machines: Machines
  access: ServerAccess
  checker: Pick<ServiceChecker, 'statusOf' | 'isDegraded' | 'outagesOf'>
  windows: Pick<OpenWindows, 'all'>
  availability: Availability
  incidents: Incidents
  /** Milliseconds since 1970. */
  now: () => number
}
