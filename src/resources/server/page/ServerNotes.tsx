import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { Fact, FactList } from '../../../components/overview/FactList.tsx'
import { Panel } from '../../../components/Panel.tsx'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { isObject, type Values } from '../../../schemas/define/values.ts'
import { noteParts } from '../../../schemas/machines/publicNote.ts'

/** The notes of a server; absent without any. */
export function ServerNotes({ server: { note, public_note } }: { server: ServerRow }) {
  const translate = useTranslate()
  if (!note && !public_note) return null
  return (
    <Panel title={translate('app.overview.notes')}>
      {note ? <Note>{note}</Note> : null}
      {public_note ? (
        <>
          <Heading>{translate('resources.server.fields.public_note')}</Heading>
          <PublicNote text={public_note} />
        </>
      ) : null}
    </Panel>
  )
}

/** A note that fits the form by its fields, any other as it was written. */
function PublicNote({ text }: { text: string }) {
  const translate = useTranslate()
  const facts = factsIn(text)
  if (facts.length === 0) return <Note>{text}</Note>
  return (
    <FactList>
      {facts.map(([key, value]) => (
        <Fact key={key} name={translate(`app.public_note.fields.${key}`)}>
          {value}
        </Fact>
      ))}
    </FactList>
  )
}

function factsIn(text: string): [key: string, value: string][] {
  const note = parseNote(text)
  return Object.entries(noteParts).flatMap(([part, fields]) =>
    Object.keys(fields).flatMap((key): [string, string][] => {
      const values = note[part]
      const value = isObject(values) ? values[key] : undefined
      return typeof value === 'string' && value !== '' ? [[key, value]] : []
    }),
  )
}

/** What the text holds, where it is an object in JSON. */
function parseNote(text: string): Values {
  try {
    const note: unknown = JSON.parse(text)
    return isObject(note) ? note : {}
  } catch {
    return {}
  }
}

const Note = styled('p')({ margin: 0, fontSize: 13, whiteSpace: 'pre-wrap' })
const Heading = styled('h3')(({ theme }) => ({ ...theme.typography.h3, margin: theme.spacing(1.5, 0, 0.5) }))
