import Alert from '@mui/material/Alert'
import { useTranslate } from 'react-admin'
import type { Position, Problem, ProblemArgs, Warning } from '../../domain/configuration/problem.ts'
import { issueMessage } from '../../engine/form/validate.ts'
import { entityNamed } from '../../schemas/index.ts'

interface ProblemListProps {
  problems: readonly Problem[]
  warnings: readonly Warning[]
}

/** What is wrong with a file, and what should be known of it, with lines and columns. */
export function ProblemList({ problems, warnings }: ProblemListProps) {
  const translate = useTranslate()
  const place = (at: Position | undefined) => (at ? `${translate('app.configuration.at', { ...at })} ` : '')
  const textOf = (kind: 'problems' | 'warnings', code: string, args: ProblemArgs) => {
    const type = args.type ? translate(`app.configuration.types.${args.type}`) : undefined
    return translate(`app.configuration.${kind}.${code}`, { ...args, type })
  }
  const problemText = ({ code, args, at }: Problem) => {
    const entity = code === 'invalid' ? entityNamed(String(args.entity)) : undefined
    if (!entity || !args.issue || !args.form) return `${place(at)}${textOf('problems', code, args)}`
    const { message, args: messageArgs } = issueMessage(args.issue, entity, args.form)
    return `${place(at)}${args.field}: ${translate(message, messageArgs)}`
  }
  return (
    <>
      {problems.length > 0 ? (
        <Alert severity="error" sx={{ marginTop: 2 }}>
          {translate('app.configuration.problem_count', { smart_count: problems.length })}
          <List texts={problems.map(problemText)} />
        </Alert>
      ) : null}
      {warnings.length > 0 ? (
        <Alert severity="warning" sx={{ marginTop: 2 }}>
          <List texts={warnings.map(({ code, args, at }) => `${place(at)}${textOf('warnings', code, args)}`)} />
        </Alert>
      ) : null}
    </>
  )
}

const List = ({ texts }: { texts: readonly string[] }) => (
  <ul style={{ margin: 0, paddingLeft: 20, overflowWrap: 'anywhere' }}>
    {[...new Set(texts)].map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
)
