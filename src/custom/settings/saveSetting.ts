import { HttpError } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { type Conflict, conflictingFields, toWireBody, withoutComputed } from '../../records/changes.ts'
import type { Values } from '../../resources/engine/form/formValues.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'

type Call = ConsoleDataProvider['call']
type Config = Setting['config']

/**
 * The settings as the server has them now. They are public, and a revoked session that is shown to a public route
 * counts as an attack: a protected one is asked first.
 */
export async function readSetting(call: Call): Promise<Setting> {
  await call(endpoints.profile)
  return call(endpoints.setting)
}

/** The settings as a record, in the spelling of this console, whatever the server's age. */
export function settingRecord(config: Config): Config & { id: string } {
  return { ...(siteSetting.api.row?.parse(config) as Config), id: 'setting' }
}

/**
 * Lays the changed settings over those that the server has now, and sends all of them back: what is left out would
 * be cleared, and what this console does not know stays as it came.
 * @param opened as they were when the form was opened
 * @throws HttpError with status 409 and a `Conflict` where somebody else has meanwhile changed the same setting
 */
export async function saveSetting(call: Call, opened: Values, changes: Values): Promise<void> {
  const { config } = await readSetting(call)
  const fresh = settingRecord(config)
  const fields = conflictingFields(siteSetting, opened, changes, fresh)
  if (fields.length > 0) throw new HttpError('app.conflict.title', 409, { fresh, fields } satisfies Conflict)
  const { id: _, ...kept } = withoutComputed(siteSetting, fresh)
  await call(endpoints.updateSetting, toWireBody(siteSetting, { ...kept, ...changes }))
}
