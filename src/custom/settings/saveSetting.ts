import { HttpError } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { type Conflict, conflictingFields } from '../../records/writeRecords.ts'
import type { Values } from '../../schemas/define/values.ts'
import { toWireBody, withoutComputed } from '../../schemas/define/wireRows.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { settingEndpoints } from '../../schemas/endpoints/settingEndpoints.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'

type Call = ConsoleDataProvider['call']
type Config = Setting['config']

/**
 * Reads the current settings. A revoked session sent to a public route counts as an attack, and this route is public: so a
 * protected route is called first.
 */
export async function readSetting(call: Call): Promise<Setting> {
  await call(endpoints.profile)
  return call(endpoints.setting)
}

/** The settings as a record with the console's field names, for all server versions. */
export function settingRecord(config: Config): Config & { id: string } {
  return { ...(siteSetting.api.row?.parse(config) as Config), id: 'setting' }
}

/**
 * Applies changes to the current settings of the server and sends all of them: missing settings would be cleared, and
 * unknown ones are kept.
 * @param opened the settings when the form was opened
 * @throws HttpError with status 409 and a `Conflict` if somebody else has changed the same setting since
 */
export async function saveSetting(call: Call, opened: Values, changes: Values): Promise<void> {
  const { config } = await readSetting(call)
  const fresh = settingRecord(config)
  const fields = conflictingFields(siteSetting, opened, changes, fresh)
  if (fields.length > 0) throw new HttpError('app.conflict.title', 409, { fresh, fields } satisfies Conflict)
  const { id: _, ...current } = withoutComputed(siteSetting, fresh)
  await call(settingEndpoints.updateSetting, toWireBody(siteSetting, { ...current, ...changes }))
}
