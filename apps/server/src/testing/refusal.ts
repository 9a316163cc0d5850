/** What a refused request was answered: status, when to ask again, and the body. */
export async function refusal(response: Promise<Response>) {
  const answered = await response;
  return { status: answered.status, retryAfter: answered.headers.get('retry-after'), ...(await answered.json()) };
}
