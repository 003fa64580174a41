import Button from '@mui/material/Button'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ComparisonTable } from '../../components/ComparisonTable.tsx'
import { issueMessage } from '../../engine/form/validate.ts'
import type { ImportPlanReply } from '../../schemas/endpoints/importEndpoints.ts'
import { entityNamed } from '../../schemas/index.ts'
import { kindText } from '../configuration/PlanView.tsx'

/** More rows are shown on demand. */
const rowsShown = 20

/** What does not come along with an import, and why. */
export function SkippedTable({ skipped }: Pick<ImportPlanReply, 'skipped'>) {
  const translate = useTranslate()
  const reasonOf = useReason()
  const [showsAll, setShowsAll] = useState(false)
  if (skipped.length === 0) return null
  const shown = showsAll ? skipped : skipped.slice(0, rowsShown)
  const headings = ['what', 'name', 'why'].map((heading) => translate(`app.import.headings.${heading}`))
  return (
    <>
      <p>{translate('app.import.skipped_count', { smart_count: skipped.length })}</p>
      <ComparisonTable>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={`${one.entity} ${one.name} ${one.code} ${String(one.args.field)} ${String(one.args.name)}`}>
              <td style={{ width: '20%' }}>{kindText(one.entity, translate)}</td>
              <td style={{ width: '25%' }}>{one.name}</td>
              <td>{reasonOf(one)}</td>
            </tr>
          ))}
        </tbody>
      </ComparisonTable>
      {skipped.length > shown.length ? (
        <Button onClick={() => setShowsAll(true)}>
          {translate('app.import.show_skipped', { smart_count: skipped.length })}
        </Button>
      ) : null}
    </>
  )
}

type Skipped = ImportPlanReply['skipped'][number]

function useReason(): (skipped: Skipped) => string {
  const translate = useTranslate()
  return ({ entity, code, args }) => {
    const found = code === 'invalid' ? entityNamed(entity) : undefined
    if (found) {
      const field = String(args.field)
      // The server keeps the value, which may be a secret, and says whether there is one.
      const values = { [field]: args.filled ? 1 : undefined }
      const { message, args: messageArgs } = issueMessage(args.issue as never, found, values)
      return `${translate(`resources.${entity}.fields.${field}`, { _: field })}: ${translate(message, messageArgs)}`
    }
    const own = translate(`app.import.skipped.${code}`, { _: '', ...args })
    if (own !== '') return own
    const type = args.type ? translate(`app.configuration.types.${args.type}`) : undefined
    return translate(`app.configuration.problems.${code}`, { ...args, type })
  }
}
