import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import { Suspense, useMemo, useState } from 'react'
import { useBasename, useParams, useTranslate } from 'react-admin'
import { BackLink } from '../../../components/BackLink.tsx'
import { formatBytes, formatDateTime } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Loading, PageTitle, Panel } from '../../../components/Panel.tsx'
import { usePageTitle } from '../../../engine/define/page.tsx'
import { csvText, saveFile } from '../../../engine/export/exportRows.ts'
import { RetryAlert } from '../../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { MoreNames } from '../../../engine/parts/MoreNames.tsx'
import type { QuestionAnswer, QuestionText } from '../../../schemas/inspect/question.ts'
import { Output } from '../inspect/SubjectPanel.tsx'
import { type Asked, useQuestion } from './useQuestion.ts'

const AskDialog = lazyPart(() => import('./AskDialog.tsx'))

/** A question to many servers: who says what. Its address is for everybody who may look into one of the servers. */
export default function QuestionPage() {
  const { question = '' } = useParams()
  const translate = useTranslate()
  const basename = useBasename()
  return (
    <>
      <BackLink to={basename || '/'}>{translate('resources.server.name', { smart_count: 2 })}</BackLink>
      <QuestionOf key={question} id={question} />
    </>
  )
}

function QuestionOf({ id }: { id: string }) {
  const { translate, locale } = useLanguage()
  const { asked, problem, retry, end } = useQuestion(id)
  const [isAsking, setAsking] = useState(false)
  usePageTitle(translate('app.question.ask'))
  if (!asked) return problem ? <RetryAlert sx={{ marginTop: 2 }} error={problem} onRetry={retry} /> : <Loading />
  const { kind, asked_by, asked_at } = asked
  const details = { name: asked_by, time: formatDateTime(Date.parse(asked_at), locale, 'short') }
  return (
    <>
      <PageTitle sx={{ marginTop: 0.5 }}>{translate(`app.question.kinds.${kind}`)}</PageTitle>
      <Panel title={asked.text} hint={translate('app.question.asked', details)}>
        <QuestionResults asked={asked} onEnd={end} onAgain={() => setAsking(true)} />
      </Panel>
      {isAsking ? (
        <Suspense>
          <AskDialog
            title={translate('app.question.again')}
            servers={asked.answers.map(({ server_id }) => server_id)}
            before={asked}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

interface QuestionResultsProps {
  asked: Asked
  onEnd: () => void
  /** Leads back to the form. */
  onAgain: () => void
}

/** Groups on screen: of more, nobody reads all, and the export has them. */
const maxGroups = 200
/** Names beside a group. */
const maxNames = 50

/** Who says what, as it comes in: what differs first, and what most say last. */
function QuestionResults({ asked, onEnd, onAgain }: QuestionResultsProps) {
  const translate = useTranslate()
  const { total, done, ended, failed, may_end } = asked
  const { groups, alike, differ, unanswered } = useMemo(() => groupAnswers(asked), [asked])
  const most = alike > 0 ? groups.at(-1)?.text?.text : undefined
  // What most say is the last one, and is what the others are compared with.
  const shown = groups.length > maxGroups ? [...groups.slice(0, maxGroups - 1), ...groups.slice(-1)] : groups
  const isOver = ended !== undefined && done >= total
  // One alone is like no other.
  const counts = Object.entries({ alike: alike > 1 ? alike : 0, differ, unanswered }).filter(([, count]) => count > 0)
  const sum = counts.map(([name, smart_count]) => translate(`app.question.${name}`, { smart_count })).join(', ')
  const progress = translate('app.question.progress', { done, total })
  return (
    <>
      <Head>
        <p role="status">
          <strong>{sum}</strong>
          {isOver ? null : ` ${progress}`}
          {ended && ended !== 'done' ? ` ${translate(`app.question.ended.${ended}`, { smart_count: failed })}` : null}
        </p>
        {isOver ? null : (
          <LinearProgress variant="determinate" value={total ? (done / total) * 100 : 0} aria-label={progress} />
        )}
      </Head>
      <List>
        {shown.map((group) => (
          <Group key={group.key} group={group} most={most} isOnly={groups.length === 1} />
        ))}
      </List>
      {groups.length > shown.length ? (
        <p>{translate('app.question.more', { count: groups.length - shown.length })}</p>
      ) : null}
      <Actions>
        {isOver ? <ExportButtons asked={asked} /> : null}
        {isOver ? <Button onClick={onAgain}>{translate('app.question.again')}</Button> : null}
        {ended || !may_end ? null : (
          <Button color="error" onClick={onEnd}>
            {translate('app.question.end')}
          </Button>
        )}
      </Actions>
    </>
  )
}

interface GroupProps {
  group: AnswerGroup
  /** What most servers said, where any are alike. */
  most: string | undefined
  isOnly: boolean
}

/** What a group said in one line, and all of it with its servers when it is opened. */
function Group({ group: { answers, text }, most, isOnly }: GroupProps) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const [first] = answers
  const line = text ? saidText(text, most, translate) : reasonText(first, translate)
  const hasMore = text !== undefined && (text.text.trimEnd().includes('\n') || text.text.length > 100)
  return (
    <li>
      <details open={isOnly || undefined}>
        <summary>
          <b>{answers.length}</b>
          <span data-said={text !== undefined && text.text.trim() !== ''} title={line}>
            {line}
          </span>
          {text?.exit_code ? <em>{translate('app.question.exit_code', { code: text.exit_code })}</em> : null}
          <i>{answers.length === 1 ? nameOf(first) : null}</i>
        </summary>
        {text && hasMore ? <Output>{text.text}</Output> : null}
        {text?.truncated ? <p>{translate('app.question.truncated')}</p> : null}
        {text?.checksum ? (
          <p>
            {formatBytes(text.size ?? 0, locale)} · <code>SHA-256 {text.checksum}</code>
          </p>
        ) : null}
        {answers.some(({ differs_in_blanks }) => differs_in_blanks) ? <p>{translate('app.question.blanks')}</p> : null}
        <p className="names">
          {answers.slice(0, maxNames).map(nameOf).join(', ')}{' '}
          {answers.length > maxNames ? (
            <MoreNames
              label={translate('resources.server.name', { smart_count: 2 })}
              names={() => answers.map((answer) => ({ id: answer.server_id, name: nameOf(answer) }))}
              count={answers.length - maxNames}
            />
          ) : null}
        </p>
      </details>
    </li>
  )
}

type Translate = ReturnType<typeof useTranslate>

const nameOf = (answer: QuestionAnswer | undefined) => answer?.name || `#${answer?.server_id}`

/** The line that tells an answer from what most servers said. */
function saidText({ text, is_absent }: QuestionText, most: string | undefined, translate: Translate): string {
  if (is_absent) return translate('app.question.absent')
  return tellingLine(text, most) || translate('app.question.empty')
}

/** Of what a question itself may fail with there are texts of its own; the others are those of looking into a machine. */
function reasonText(answer: QuestionAnswer | undefined, translate: Translate): string {
  const { cause, reason, detail = '' } = answer ?? {}
  const general = translate(`app.inspect.causes.${cause}`, { _: reason ?? '', detail })
  return translate(`app.question.causes.${cause}`, { _: general, detail })
}

/** Downloads who said what, a line a server. */
function ExportButtons({ asked: { answers, texts, kind } }: { asked: Asked }) {
  const translate = useTranslate()
  const rows = () =>
    answers.map((answer) => {
      const said = answer.text_id === undefined ? undefined : texts.get(answer.text_id)
      return { answer, said, reason: said ? '' : reasonText(answer, translate) }
    })
  const saveCsv = () => {
    const headings = [
      'ID',
      ...['server', 'answer', 'exit_code', 'reason'].map((name) => translate(`app.question.columns.${name}`)),
    ]
    const lines = rows().map(({ answer, said, reason }) => [
      String(answer.server_id),
      nameOf(answer),
      said?.is_absent ? translate('app.question.absent') : (said?.text ?? ''),
      String(said?.exit_code ?? ''),
      reason,
    ])
    saveFile(csvText([headings, ...lines]), `${kind}.csv`, 'text/csv;charset=utf-8')
  }
  const saveJson = () => {
    const items = rows().map(({ answer: { text_id: _, ...answer }, said }) => {
      const { id: __, ...text } = said ?? { id: 0 }
      return { ...answer, ...text }
    })
    saveFile(`${JSON.stringify(items, null, 2)}\n`, `${kind}.json`, 'application/json')
  }
  return (
    <>
      <Button onClick={saveCsv}>{translate('app.list.export_csv')}</Button>
      <Button onClick={saveJson}>{translate('app.list.export_json')}</Button>
    </>
  )
}

const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  gap: theme.spacing(1),
  marginTop: theme.spacing(1.5),
}))

const Head = styled('div')(({ theme }) => ({
  marginBottom: theme.spacing(1.5),
  '& p': { margin: theme.spacing(0.5, 0), fontVariantNumeric: 'tabular-nums' },
}))

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  '& li + li, & li:first-of-type': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& summary': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1.5),
    minHeight: 44,
    cursor: 'pointer',
  },
  '& summary::before': { content: '"▸"', width: 12, color: theme.vars.palette.text.secondary },
  '& details[open] > summary::before': { content: '"▾"' },
  '& summary::-webkit-details-marker': { display: 'none' },
  '& b': { minWidth: 40, textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  '& summary span': {
    flex: 1,
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.text.secondary,
  },
  // A reason is a sentence: its end may be what has to be done.
  '& summary span[data-said=false]': { whiteSpace: 'normal' },
  // What is cut has to be readable somewhere, on a phone too.
  '& details[open] > summary span': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
  '& summary span[data-said=true]': { fontFamily: 'var(--mono)', color: theme.vars.palette.text.primary },
  '& em': { fontStyle: 'normal', whiteSpace: 'nowrap', color: theme.vars.palette.error.main },
  '& i': {
    maxWidth: '30%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontStyle: 'normal',
    color: theme.vars.palette.text.secondary,
  },
  '& details > p, & details > pre': { margin: theme.spacing(0, 0, 1, 3) },
  '& details > pre': { maxHeight: 320 },
  '& p code': { fontFamily: 'var(--mono)', overflowWrap: 'anywhere' },
  '& .names': { overflowWrap: 'anywhere', color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: {
    '& summary': { flexWrap: 'wrap', gap: theme.spacing(0.5, 1), paddingBlock: theme.spacing(1) },
    '& b': { minWidth: 24 },
    '& i': { flexBasis: '100%', maxWidth: 'none', paddingInlineStart: 52 },
  },
}))

/** Servers whose answers are alike, or that have the same reason for none. */
interface AnswerGroup {
  key: string
  answers: QuestionAnswer[]
  /** What they said; absent where they said nothing. */
  text?: QuestionText
}

/** The groups in the order in which they matter, and how many servers are alike, differ from those, and said nothing. */
interface GroupedAnswers {
  groups: AnswerGroup[]
  alike: number
  differ: number
  unanswered: number
}

/** What differs comes first, the rarest before all; then who said nothing, and last what most have said. */
export function groupAnswers({ answers, texts }: Pick<Asked, 'answers' | 'texts'>): GroupedAnswers {
  const byKey = new Map<string, AnswerGroup>()
  for (const answer of answers) {
    const { text_id, cause, detail } = answer
    const key = text_id === undefined ? `${cause} ${detail}` : String(text_id)
    const known = byKey.get(key)
    if (known) known.answers.push(answer)
    else byKey.set(key, { key, answers: [answer], ...(text_id !== undefined && { text: texts.get(text_id) }) })
  }
  const bySize = [...byKey.values()].sort((one, other) => one.answers.length - other.answers.length)
  const said = bySize.filter(({ text }) => text)
  const silent = bySize.filter(({ text }) => !text)
  const sizes = said.map((group) => group.answers.length)
  const answered = sizes.reduce((sum, size) => sum + size, 0)
  const largest = sizes.at(-1) ?? 0
  // Where no two are alike, all differ.
  const alike = largest > 1 || answered === 1 ? largest : 0
  const most = alike > 0 ? said.slice(-1) : []
  return {
    groups: [...said.slice(0, said.length - most.length), ...silent, ...most],
    alike,
    differ: answered - alike,
    unanswered: answers.length - answered,
  }
}

/** Characters of a line that stands for an answer. */
const maxLine = 500

/** The first line of a text that another one has not at its place; the first one with a word where there is none. */
export function tellingLine(text: string, other = ''): string {
  const [lines, others] = [text, other].map((one) => one.split('\n').map((line) => line.slice(0, maxLine).trim()))
  return lines?.find((line, index) => line && line !== others?.[index]) ?? lines?.find(Boolean) ?? ''
}
