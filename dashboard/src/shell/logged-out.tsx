import { AsCommand } from '../parts/command.tsx'

export function LoggedOut() {
  return (
    <main className="alone">
      <h1>Not logged in</h1>
      <p>
        This browser is not logged in, or its login has ended: after twelve hours, by logging out, or because the
        owner's token was changed.
      </p>
      <p>Run this on the machine of the server. It opens a link that logs you in once.</p>
      <AsCommand words={['ui']} />
      <p className="faint">
        A token of an agent does not open the dashboard. Programs use it with the <a href="/docs">HTTP interface</a>.
      </p>
      <p>
        <a href="/ui/">Try again</a> · <a href="/">About this server</a>
      </p>
    </main>
  )
}
