import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'

/** This machine, as the server watches it; what goes wrong ends the measurement. @param now milliseconds since 1970 */
export const benchHost = (now: () => number) =>
  createLocalHost({
    uuid: '00000000-0000-4000-8000-000000000000',
    version: 'bench',
    now,
    onError(error) {
      throw error
    },
  })
