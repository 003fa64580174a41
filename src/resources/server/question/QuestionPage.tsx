import { useState } from 'react'
import { useBasename, useNavigate, useParams, useTranslate } from 'react-admin'
import { BackLink } from '../../../components/BackLink.tsx'
import { formatDateTime } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Loading } from '../../../components/Loading.tsx'
import { PageTitle, Panel } from '../../../components/Panel.tsx'
import { usePageTitle } from '../../../engine/define/pageTitle.ts'
import { RetryAlert } from '../../../engine/parts/RetryAlert.tsx'
import { AskForm, type AskValues, firstAskValues } from './AskForm.tsx'
import { QuestionResults } from './QuestionResults.tsx'
import { useAsk } from './useAsk.ts'
import { type Asked, useQuestion } from './useQuestion.ts'

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
      {isAsking ? (
        <AskAgain asked={asked} onCancel={() => setAsking(false)} />
      ) : (
        <Panel title={asked.text} hint={translate('app.question.asked', details)}>
          <QuestionResults asked={asked} onEnd={end} onAgain={() => setAsking(true)} />
        </Panel>
      )}
    </>
  )
}

/** The form again, for the same servers. */
function AskAgain({ asked, onCancel }: { asked: Asked; onCancel: () => void }) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const basename = useBasename()
  const { kind, text, answers } = asked
  const [values, setValues] = useState<AskValues>({ ...firstAskValues, kind, text })
  const { isBeginning, ask } = useAsk((id) => navigate(`${basename}/ask/${id}`))
  const servers = answers.map(({ server_id }) => server_id)
  return (
    <Panel title={translate('app.question.again')}>
      <AskForm
        values={values}
        count={servers.length}
        isBeginning={isBeginning}
        onChange={setValues}
        onAsk={(order) => void ask({ ...order, servers })}
        onCancel={onCancel}
      />
    </Panel>
  )
}
