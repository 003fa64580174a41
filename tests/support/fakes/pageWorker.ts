/**
 * A class in place of `Worker`: what a worker would do runs in the page, and messages come later, as from a worker.
 * @param serve the worker's side, as its file starts it
 */
export function pageWorker<Request, Message>(
  serve: (post: (message: Message) => void) => { receive(request: Request): void },
) {
  return class PageWorker {
    onmessage: ((event: { data: Message }) => void) | undefined
    #isOver = false
    readonly #served = serve((message) => {
      queueMicrotask(() => this.#isOver || this.onmessage?.({ data: message }))
    })
    postMessage(request: Request) {
      queueMicrotask(() => this.#served.receive(request))
    }
    terminate() {
      this.#isOver = true
    }
  }
}
