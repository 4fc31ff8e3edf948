import { useState } from 'react'

export function LogOut() {
  const [failed, setFailed] = useState(false)
  const leave = async () => {
    const answer = await fetch('/logout', { method: 'POST', headers: { 'x-cairn': '1' } }).catch(() => undefined)
    if (answer?.ok) location.assign('/ui/')
    else setFailed(true)
  }
  return (
    <button type="button" className="quiet" onClick={leave}>
      {failed ? 'The server does not answer' : 'Log out'}
    </button>
  )
}
