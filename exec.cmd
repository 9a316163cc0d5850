@rem The scripts of package.json begin with "exec": a Unix shell then becomes our program, and the signals that npm passes to it reach us.
@rem Windows has no such command: there it is this file.
@%*
