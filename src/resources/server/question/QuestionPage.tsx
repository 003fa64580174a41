import { Suspense, useState } from 'react'
import { useBasename, useParams, useTranslate } from 'react-admin'
import { BackLink } from '../../../components/BackLink.tsx'
import { formatDateTime } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Loading, PageTitle, Panel } from '../../../components/Panel.tsx'
import { usePageTitle } from '../../../engine/define/page.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { RetryAlert } from '../../../engine/parts/RetryAlert.tsx'
import { QuestionResults } from './QuestionResults.tsx'
import { useQuestion } from './useQuestion.ts'

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
