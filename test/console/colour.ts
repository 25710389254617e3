// Before Ink is loaded: frames of tests have their colours, whatever the environment of the run says.

process.env["FORCE_COLOR"] = "1";
delete process.env["NO_COLOR"];
