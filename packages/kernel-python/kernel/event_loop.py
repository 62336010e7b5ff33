"""
Runs cells that await. One event loop lives as long as the kernel; it turns only while such a cell runs, so background
tasks go on during later cells that await, and rest in between.
"""

import sys


class EventLoop:
    def __init__(self, interrupts, context):
        self._interrupts = interrupts
        self._context = context
        self._loop = None

    def run(self, coroutine, entered=False):
        """The coroutine's result as (value, exception). `entered`: the cell's context is in use further up the stack."""
        import asyncio

        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
        loop = self._loop
        asyncio.set_event_loop(loop)
        interrupts = self._interrupts
        driver = drive(coroutine, asyncio.CancelledError, interrupts)
        if entered:
            task = loop.create_task(driver)
        elif sys.version_info >= (3, 11):
            # The cell's own context, so that context variables set in one cell are there in the next.
            task = loop.create_task(driver, context=self._context)
        else:
            task = self._context.run(loop.create_task, driver)
        outer = interrupts.loop, interrupts.task
        interrupts.loop, interrupts.task = loop, task
        try:
            return loop.run_until_complete(task)
        except BaseException:
            # It came from another task or a callback; the cell's own task must not go on without a cell.
            task.cancel()
            raise
        finally:
            interrupts.loop, interrupts.task = outer


    def run_anywhere(self, coroutine):
        """Runs it to its end from a thread that runs no loop; returns its value."""
        import asyncio
        from _thread import get_ident

        if get_ident() != self._interrupts.main:
            return asyncio.run(coroutine)
        value, error = self.run(coroutine, entered=True)
        if error is not None:
            raise error
        return value


async def drive(coroutine, cancelled, interrupts):
    try:
        return await coroutine, None
    except cancelled as error:
        if interrupts.was_withdrawn():
            return None, KeyboardInterrupt().with_traceback(error.__traceback__)
        return None, error
    except BaseException as error:
        # SystemExit and KeyboardInterrupt would tear the loop down if they left the task.
        return None, error
