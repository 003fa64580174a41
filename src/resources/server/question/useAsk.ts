import { useState } from 'react'
import { useDataProvider, useEvent } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/useToast.ts'
import { questionEndpoints as endpoints } from '../../../schemas/endpoints/questionEndpoints.ts'
import type { QuestionOrder } from '../../../schemas/inspect/question.ts'

/** Begins a question to many servers. @param onBegun gets its id */
export function useAsk(onBegun: (id: string) => void) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { showError } = useToast()
  const [isBeginning, setBeginning] = useState(false)
  const begun = useEvent(onBegun)
  return {
    isBeginning,
    async ask({ kind, ...order }: QuestionOrder) {
      setBeginning(true)
      try {
        const { id } =
          kind === 'command'
            ? await call(endpoints.commandServers, order)
            : await call(endpoints.askServers, { kind, ...order })
        begun(id)
      } catch (error) {
        showError(error)
      }
      setBeginning(false)
    },
  }
}
