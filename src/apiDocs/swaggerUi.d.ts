/** The viewer as one script without imports; its package has types of the server's half only. */
declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  /** What the viewer sends when somebody tries out a call. */
  interface ViewerRequest {
    headers: Record<string, string>
  }

  /** The settings that the page makes. */
  interface ViewerOptions {
    dom_id: string
    url: string
    validatorUrl: string | null
    deepLinking: boolean
    filter: boolean
    docExpansion: 'list' | 'full' | 'none'
    defaultModelsExpandDepth: number
    tagsSorter: 'alpha'
    requestInterceptor: (request: ViewerRequest) => ViewerRequest
  }

  export default function SwaggerUIBundle(options: ViewerOptions): unknown
}
